declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  /** Of its configuration, what is used here. */
  export default function showReference(options: {
    readonly url: string;
    readonly dom_id: string;
    readonly deepLinking: boolean;
    readonly tryItOutEnabled: boolean;
    readonly validatorUrl: null;
  }): void;
}
