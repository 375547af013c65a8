/** Made by scripts/page-icons.ts. */
declare module 'icon:*' {
  /** What the attribute `d` of each path is to be. */
  const paths: readonly string[];
  export default paths;
}
