import { html } from 'hono/html'

export const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export function renderPreview({ publicServiceUrl }: { publicServiceUrl: string }) {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Preview · credit report widget</title>
<link rel="stylesheet" href="/assets/preview.css">
<link rel="icon" href="/icon.svg">
<script type="module" src="/assets/preview.js"></script>
</head>
<body data-service="${publicServiceUrl}">
<noscript>The preview needs JavaScript.</noscript>
</body>
</html>`
}
