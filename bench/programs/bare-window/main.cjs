// Serves a page of one heading and shows it in one window.
const { createServer } = require('node:http');
const { app, BrowserWindow } = require('electron');

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>Bare</title><h1>Bare</h1>');
});
app.on('window-all-closed', () => app.quit());
server.listen(0, '127.0.0.1', () => void app.whenReady().then(showPage));

function showPage() {
  const window = new BrowserWindow({ title: 'Bare', width: 1180, height: 820 });
  window.loadURL(`http://127.0.0.1:${server.address().port}/`).catch(console.error);
}
