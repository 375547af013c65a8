/** The address of an endpoint for a request of this page: at the page's own origin, with its session. */
export const addressInPage = (url: string): string => new URL(url, window.location.href).pathname;
