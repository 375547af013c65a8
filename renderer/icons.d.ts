/** Made by scripts/page-icons.ts. */
declare module 'icon:*' {
  /** The attribute `d` of each path. */
  const paths: readonly string[];
  export default paths;
}
