// The shop's pictures, drawn by hand. They take their colours from the style sheet.
import { html } from 'hono/html'

/** A wren on a line: the lender's mark. */
export const mark = html`<svg class="mark" viewBox="0 0 40 40" width="36" height="36" aria-hidden="true">
<rect class="mark-ground" width="40" height="40" rx="11"/>
<path class="mark-bird" d="M8.5 12.5c3.6.4 6 2.3 7.6 5.2 1.2-3.3 4.3-5.7 8.1-5.7 3.1 0 5.6 1.5 6.9 3.8l3.4.9-3 1.7c0 5.6-4.3 10.1-10.2 10.1-6.6 0-11.4-5.4-12.8-16z"/>
<path class="mark-line" d="M17.6 28.2v3.3M22.6 28.5v3M9 31.9h22"/>
<circle class="mark-eye" cx="26.6" cy="16.6" r="1.2"/>
</svg>`

export const car = html`<svg class="car" viewBox="0 0 340 150" role="img" aria-label="Side view of a green saloon car">
<ellipse class="car-shadow" cx="170" cy="126" rx="150" ry="9"/>
<path class="car-body" d="M22 108c-4-1-6-4-6-9l1-15c1-10 6-16 15-19l16-5c15-15 30-24 48-27 22-4 62-4 88 0 18 3 33 12 50 26l50 9c22 4 34 13 36 27l1 7c0 4-2 6-6 6h-29a28 28 0 0 0-56 0H112a28 28 0 0 0-56 0z"/>
<path class="car-shade" d="M17 92h303l1 10c0 4-2 6-6 6h-29a28 28 0 0 0-56 0H112a28 28 0 0 0-56 0H22c-4-1-6-4-6-9z"/>
<path class="car-glass" d="M64 59c11-9 22-15 34-17 8-1.500 18-2.200 28-2.400V60zM134 39.400c18-.3 36 .5 48 2.600 12 2 25 9 37 19l-85-.800z"/>
<path class="car-seam" d="M130 39v62M196 61c4 12 4 26-1 40M60 66h214"/>
<path class="car-handle" d="M110 73h12M176 73h12"/>
<path class="car-lamp" d="M296 71c10 2 16 6 19 11l-14-1c-4 0-7-5-5-10z"/>
<path class="car-tail" d="M20 78c2-6 6-10 13-12l2 9c0 3-2 5-5 5z"/>
<g class="car-wheel"><circle cx="84" cy="108" r="22"/><circle cx="258" cy="108" r="22"/></g>
<g class="car-rim"><circle cx="84" cy="108" r="13"/><circle cx="258" cy="108" r="13"/></g>
<g class="car-spokes"><path d="M84 96v24M73.600 102l20.800 12M94.400 102l-20.800 12M258 96v24M247.600 102l20.800 12M268.400 102l-20.800 12"/></g>
<g class="car-hub"><circle cx="84" cy="108" r="3.500"/><circle cx="258" cy="108" r="3.500"/></g>
</svg>`

export const tick = html`<svg class="tick" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M5 12.500l4.500 4.500L19 7.500"/></svg>`
