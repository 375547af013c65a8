/** Defined by the reference's script. The type names only the options that this page sets. */
declare function SwaggerUIBundle(options: {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly tryItOutEnabled: boolean;
  readonly validatorUrl: null;
}): void;
