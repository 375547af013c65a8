/** What its script defines. Of its configuration, what is used here. */
declare function SwaggerUIBundle(options: {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly tryItOutEnabled: boolean;
  readonly validatorUrl: null;
}): void;
