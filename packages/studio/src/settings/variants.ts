/** Loaded when a variant is asked for, so that the page does not load the readers of scenes for it. */
export { applyVariant } from '@pliant/scene';
