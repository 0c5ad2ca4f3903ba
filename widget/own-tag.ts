/**
 * The tag that brought the widget: its address, and the nonce the page gave it. Known only while the script runs, so it
 * is read when this file is; empty where a bundler's module brought the widget.
 */
export const ownTag = readOwnTag()

function readOwnTag(): { src: string; nonce: string } {
  // There is no document on a server, and an image called `currentScript` takes the place of the real one.
  const tag = typeof document === 'undefined' ? null : document.currentScript
  return tag && tag instanceof HTMLScriptElement ? { src: tag.src, nonce: tag.nonce ?? '' } : { src: '', nonce: '' }
}
