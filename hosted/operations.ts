import { LenderPageChange, LenderPageSettings, LOGO_BYTES_MAX } from '../contract/lender-page.ts'
import {
  HostedLink,
  LINK_MINUTES_DEFAULT,
  LinkCheck,
  LinkList,
  LinkListQuery,
  LinkPerson,
  LinkStart,
  MadeLink,
  NewLink,
} from '../contract/link.ts'
import { component, DATE, TIME } from '../openapi/component.ts'
import { query, type Rows } from '../openapi/operation.ts'
import { afterWords, LIMIT_WORDS } from '../openapi/page-words.ts'
import { PERSON_WORDS } from '../openapi/request-words.ts'
import { CREATED_AT, CREDIT_REPORT_ID, ENDED_AT, LINK_ID, REFERENCE } from '../openapi/samples.ts'
import { operationOf } from '../service/act/act.ts'
import { revokeLink, setLenderPage, setLogo } from './acts.ts'

const PAGE = 'https://shop.example/checks'
const TOMORROW = '2026-11-16T09:30:00.000Z'

const links = { who: 'tenant', scope: 'credit-reports', permission: 'links' } as const

export const hostedRows = {
  operations: {
    getLenderPage: {
      route: 'GET /:tenantId/v1/hosted-page',
      rule: { who: 'tenant', scope: 'settings', permission: 'connections' },
      tag: 'Links',
      summary: 'The design of the lender’s page',
      description: 'With the addresses that links may lead back to.',
      answers: { 200: { says: 'The settings.', data: LenderPageSettings } },
    },
    setLenderPage: operationOf(setLenderPage, {
      route: 'PUT /:tenantId/v1/hosted-page',
      tag: 'Links',
      description:
        'An absent field keeps its value; null removes it. A colour that is too light for white text is refused.',
      body: { schema: 'LenderPageChange', reads: LenderPageChange },
      answers: { 200: { says: 'The settings as they are now.', data: LenderPageSettings } },
    }),
    setLogo: operationOf(setLogo, {
      route: 'PUT /:tenantId/v1/hosted-page/logo',
      tag: 'Links',
      description: `The bytes of a PNG or WebP picture, at most ${LOGO_BYTES_MAX}; an empty body removes the logo.`,
      body: { type: 'image/png', required: false },
      answers: { 204: { says: 'Set.' } },
      errors: ['validation-error', 'payload-too-large'],
    }),
    makeLink: {
      route: 'POST /:tenantId/v1/links',
      rule: { ...links, audit: 'link.make' },
      tag: 'Links',
      summary: 'Make a link to a check',
      description:
        'The address opens a page on which a consumer does one check, for at most one report. Only this answer contains the address.',
      idempotent: true,
      body: { schema: 'NewLink', reads: NewLink },
      answers: { 201: { says: 'The link.', data: MadeLink } },
    },
    listLinks: {
      route: 'GET /:tenantId/v1/links',
      rule: links,
      tag: 'Links',
      summary: 'The lender’s links, newest first',
      description: 'Each with its newest check. A link that no check came of is listed for 30 days after it expired.',
      query: query(LinkListQuery, {
        externalReference: ['Only links with this reference.', REFERENCE],
        after: afterWords(LINK_ID),
        limit: LIMIT_WORDS,
      }),
      answers: { 200: { says: 'A page of links.', data: LinkList } },
      errors: ['validation-error'],
    },
    getLink: {
      route: 'GET /:tenantId/v1/links/:linkId',
      rule: links,
      tag: 'Links',
      summary: 'The status of a link',
      description:
        'Decide by this, by the webhook or by `decideLink`: the address that a consumer comes back to proves nothing.',
      answers: { 200: { says: 'The link.', data: HostedLink } },
      errors: ['not-found'],
    },
    revokeLink: operationOf(revokeLink, {
      route: 'DELETE /:tenantId/v1/links/:linkId',
      tag: 'Links',
      description: 'Also closes a check that waits for its code. It cannot be undone.',
      answers: { 204: { says: 'Revoked.' } },
      errors: ['not-found'],
    }),
  },
  words: () => ({
    requests: [
      component('NewLink', NewLink, 'A link to make.', {
        externalReference: [
          'Your own reference of the check: on the report, its webhooks and its receipts.',
          REFERENCE,
        ],
        start: 'The details you know. The applicant sees them and cannot change them.',
        returnUrl: ['An address offered to the consumer afterwards: one of your list, or one below it.', PAGE],
        expiresInMinutes: [`The lifetime of the link in minutes; ${LINK_MINUTES_DEFAULT} (a day) when absent.`, 1_440],
        test: ['Test mode: nothing is charged, the code is 123456.', true],
      }),
      component('LinkStart', LinkStart, 'A known applicant.', {
        person: 'The person.',
        addresses: 'Addresses, newest first; the page then asks for none.',
      }),
      component('LinkPerson', LinkPerson, 'The known details of a person. The page asks for those that are absent.', {
        ...PERSON_WORDS,
        dateOfBirth: ['Date of birth.', '1985-03-27', DATE],
        email: ['E-mail address.', 'sam@example.com'],
      }),
      component('LenderPageChange', LenderPageChange, 'The design of the page.', {
        name: ['The name on the page; null: the lender’s name.', 'Larkfield Cars'],
        accentColour: ['The colour of buttons and bars.', '#0b5cad'],
        privacyUrl: ['Your privacy notice, linked above “Agree”.', 'https://shop.example/privacy'],
        returnUrls: [
          'The addresses that links may lead back to, with those below them. An app’s scheme is allowed.',
          [PAGE],
        ],
      }),
    ],
    answers: [
      component('MadeLink', MadeLink, 'A new link.', {
        linkId: ['The link’s id.', LINK_ID],
        url: [
          'Send this to one consumer: anyone who has it can do the check.',
          'https://reports.example/c/4uV0m2nq3ZpXcK8yQw1tRg',
        ],
        expiresAt: ['The time the link expires.', TOMORROW, TIME],
      }),
      component('HostedLink', HostedLink, 'A link and its newest check.', {
        linkId: ['The link’s id.', LINK_ID],
        status: ['The status of the link; `started`: a check has begun, and `check` has its status.', 'complete'],
        test: ['Whether it is in test mode.', false],
        externalReference: ['Your own reference.', REFERENCE],
        returnUrl: ['The address offered to the consumer afterwards.', PAGE],
        createdAt: ['The time of creation.', CREATED_AT, TIME],
        expiresAt: ['The time the link expires.', TOMORROW, TIME],
        openedAt: ['The time of the first opening; absent before.', ENDED_AT, TIME],
        check: 'Its newest check; absent until one has begun.',
      }),
      component('LinkCheck', LinkCheck, 'The newest check of a link.', {
        creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
        status: ['The status of the check.', 'complete'],
      }),
      component('LinkList', LinkList, 'A page of links.', {
        links: 'The links, newest first.',
        nextAfter: ['Send it as `after` for the next page; absent on the last.', LINK_ID],
      }),
      component('LenderPageSettings', LenderPageSettings, 'The design of a lender’s page.', {
        name: ['The name on the page; absent: the lender’s name.', 'Larkfield Cars'],
        accentColour: ['The colour of buttons and bars; absent: the default.', '#0b5cad'],
        privacyUrl: ['The privacy notice.', 'https://shop.example/privacy'],
        returnUrls: ['The addresses that links may lead back to.', [PAGE]],
        logo: ['Whether there is a logo.', true],
      }),
    ],
  }),
} satisfies Rows
