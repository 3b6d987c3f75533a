export const STYLE = `
:root { color-scheme: light; font: 14px/1.45 system-ui, sans-serif; color: #26323d; background: #f2f5f8; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; padding: 1.2rem; }
header { margin-bottom: 1rem; }
h1 { margin: 0; font-size: 1.35rem; font-weight: 650; }
h2 { margin: 0 0 0.3rem; font-size: 1rem; }
p { margin: 0 0 0.5rem; }
header p, .hint { color: #52626f; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr)); gap: 1rem; }
section { background: #fff; border-radius: 0.7rem; padding: 0.9rem 1.1rem; box-shadow: 0 1px 5px rgb(38 50 61 / 10%); min-width: 0; }
section:first-child, section:last-child { grid-column: 1 / -1; }
svg { width: 100%; display: block; touch-action: none; user-select: none; font-size: 11px; }
svg text { fill: #3a4753; }
.run { fill: none; stroke-opacity: 0.55; stroke-width: 1.4; cursor: pointer; }
.run.faded { stroke: #c9d1d8; stroke-opacity: 0.25; }
.run.chosen { stroke-width: 3.5; stroke-opacity: 1; }
circle { cursor: pointer; fill-opacity: 0.75; }
circle.chosen { stroke: #26323d; stroke-width: 2; fill-opacity: 1; }
.axis { stroke: #8a97a3; }
.grid { stroke: #e3e8ec; }
.brush { fill: #2f6fb0; fill-opacity: 0.18; stroke: #2f6fb0; }
.grip { fill: transparent; cursor: ns-resize; }
.controls { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: center; }
select, input[type=search], button { font: inherit; padding: 0.15rem 0.4rem; border: 1px solid #c3ccd4; border-radius: 0.35rem; background: #fff; }
input[type=search] { width: min(26rem, 70vw); }
input.wrong { border-color: #b3402a; background: #fbeeea; }
#rows { overflow: auto; max-height: 34rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { position: sticky; top: 0; background: #eef2f5; cursor: pointer; text-align: left; font-weight: 600; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #eef1f4; }
td.number { text-align: right; }
tr.chosen td { background: #dce8f4; }
tbody tr { cursor: pointer; }
tbody tr:hover td { background: #eef4fa; }
.failed { color: #b3402a; }
#picture { float: right; max-width: 45%; border-radius: 0.4rem; margin-left: 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 0.8rem; margin: 0 0 0.6rem; }
dt { color: #52626f; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
#curve { clear: both; }
`;
