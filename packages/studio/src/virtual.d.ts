declare module 'virtual:scenes' {
  export const scenes: readonly {
    name: string;
    title: string;
    description: string;
    particles: number;
    variants: readonly string[];
  }[];
}
