// Ways the tags and the element get into a page, and pages that are not written as usual.
import { type HostPage, script } from './host-page.ts'

const page = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout</title>${head}</head><body>${body}</body></html>`
/** Mark-up inside a script of the page. */
const quoted = (markup: string) => JSON.stringify(markup).replaceAll('</', '<\\/')
/** Puts mark-up at the end of the page and runs the scripts in it. */
const append = (markup: string) =>
  `document.body.append(document.createRange().createContextualFragment(${quoted(markup)}))`

export const arrivalPages: HostPage[] = [
  {
    name: 'the tags of the readme',
    page: { document: ({ scripts, element }) => page(scripts, element) },
    holds: () => document.scripts.length === 2,
  },
  {
    name: 'the tags at the end of the page',
    page: { document: ({ scripts, element }) => page('', element + scripts) },
    holds: (element) => element.nextElementSibling?.localName === 'script',
  },
  {
    name: 'tags that hold the page up',
    page: { document: ({ scripts, element }) => page(scripts.replaceAll('async ', ''), element) },
    holds: () => [...document.scripts].every((tag) => !tag.async),
  },
  {
    name: 'the widget’s script long before the element',
    page: {
      document: ({ scripts, element }) => page(scripts, script(`setTimeout(() => { ${append(element)} }, 600)`)),
    },
    holds: (element) => element.previousElementSibling?.localName === 'script',
  },
  {
    name: 'a tag manager that brings everything late',
    page: {
      document: ({ scripts, element }) =>
        page('', `${element}${script(`setTimeout(() => { ${append(scripts)} }, 600)`)}`),
    },
    holds: () => document.scripts.length === 3,
  },
  {
    name: 'no tag for the fingerprint script at all',
    page: { fingerprint: '' },
    holds: () => document.querySelectorAll('body script').length === 0,
  },
  {
    name: 'tags and element written by document.write',
    page: { document: ({ scripts, element }) => page('', script(`document.write(${quoted(scripts + element)})`)) },
    holds: () => document.body.querySelectorAll('script').length === 3,
  },
  {
    name: 'an element cloned from a template',
    page: {
      document: ({ scripts, element }) =>
        page(
          scripts,
          `<template>${element}</template><main></main>${script(
            'document.querySelector("main").append(document.querySelector("template").content.cloneNode(true))',
          )}`,
        ),
    },
    holds: () => document.querySelector('template')?.content.querySelector('credit-report-widget') !== null,
  },
  {
    name: 'a body that is swapped after the page was loaded',
    page: {
      document: ({ scripts, element }) =>
        page(
          scripts,
          `${element}<p>Loading</p>${script(`addEventListener('load', () => setTimeout(() => {
            const body = document.createElement('body')
            body.innerHTML = ${quoted(element)}
            document.body.replaceWith(body)
          }, 300))`)}`,
        ),
    },
    enter: (page) => page.getByText('Loading').waitFor({ state: 'detached' }),
    holds: () => document.body.childElementCount === 1,
  },
  {
    name: 'the element as a module’s import',
    page: { script: `<script type="module">import '/credit-reports/index.js'</script>` },
    holds: () => document.querySelector('script[type=module]') !== null,
  },
  {
    name: 'a base address elsewhere',
    page: ({ origin }) => ({
      head: '<base href="https://elsewhere.example/">',
      script: `<script async src="${origin}/credit-reports/widget.js"></script>`,
    }),
    holds: () => document.baseURI === 'https://elsewhere.example/',
  },
  {
    name: 'a page in an old character set',
    page: {
      headers: { 'Content-Type': 'text/html; charset=windows-1252' },
      document: ({ scripts, element }) =>
        `<!doctype html><html lang="en"><title>Checkout</title>${scripts}${element}</html>`,
    },
    holds: (element) =>
      document.characterSet === 'windows-1252' && !/[âÂÃ]/.test(element.shadowRoot?.textContent ?? ''),
  },
  {
    name: 'a page served as XML',
    page: {
      headers: { 'Content-Type': 'application/xhtml+xml' },
      document: ({
        scripts,
        element,
      }) => `<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Checkout</title>
        ${scripts.replaceAll('async ', 'async="" ')}</head><body>${element}</body></html>`,
    },
    holds: () => document.contentType === 'application/xhtml+xml',
  },
]
