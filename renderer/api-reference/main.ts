import scriptUrl from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import 'swagger-ui-dist/swagger-ui.css';

document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);

// Loaded unbundled: it is a bundle already, three times as large as the dashboard.
const script = document.createElement('script');
script.src = scriptUrl;
script.addEventListener('load', showReference);
document.head.append(script);

/** Shows the catalog's API reference. Requests tried there go to this daemon only. */
function showReference(): void {
  SwaggerUIBundle({
    url: '/api/v1/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    tryItOutEnabled: false,
    validatorUrl: null,
  });
}
