/** Defined by the script of Swagger UI. The type has only the options that this page sets. */
declare function SwaggerUIBundle(options: {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly tryItOutEnabled: boolean;
  readonly validatorUrl: null;
}): void;
