/** A script that runs a case of a fuzzer again, for cases that are no list of calls. It needs the project's fuzz folder. */
export function printCase(name, data) {
  return `const data = ${JSON.stringify(data, null, 1)};
const { FUZZERS } = await import(\`\${process.cwd()}/fuzz/fuzzers.mjs\`);
const context = { beat() {}, at: (_, where) => console.log(where), say: console.log };
console.log(await FUZZERS.${name}.execute(data, context));
`;
}
