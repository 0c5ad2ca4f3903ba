import { broken, complete, type Journey } from './journey.ts'

const allowed = { group: 'network', branch: 'allow', scenario: 'default', steps: [] } as const

/** Faults of connections and browsers in a check. */
export const networkJourneys: readonly Journey[] = [
  {
    ...allowed,
    id: 'offline',
    title: 'Offline: the connection is cut',
    about: 'The request never gets an answer. With the network switched off as well, the widget says so.',
    stage: 'cut',
    ends: broken('network'),
  },
  {
    ...allowed,
    id: 'slow',
    title: 'Slow answer',
    about: 'After 15 seconds the words change; then the report comes.',
    stage: 'slow',
    ends: complete(4),
  },
  {
    ...allowed,
    id: 'malformed',
    title: 'Malformed answer',
    about: 'A web page where JSON should be, as a captive portal sends.',
    stage: 'malformed',
    ends: broken('garbled-answer'),
  },
  {
    ...allowed,
    id: 'current-lost',
    title: 'No answer to “current”',
    about: 'No check begins before the lender’s server has said how things stand: it could be paid twice.',
    stage: 'current-lost',
    ends: {
      heading: 'We cannot reach the company you came from',
      events: ['error'],
      errorCode: 'http-502',
      costCredits: 0,
    },
  },
  {
    ...allowed,
    id: 'service-down',
    title: 'Service down',
    about: 'The service’s port is closed.',
    stage: 'service-down',
    ends: broken('unavailable'),
  },
  {
    ...allowed,
    id: 'fingerprint-blocked',
    title: 'Fingerprint script blocked',
    about: 'The page’s policy, or an ad blocker, stops the script.',
    stage: 'plain',
    fingerprint: 'blocked',
    ends: {
      heading: 'Your browser stopped a security check',
      events: ['error'],
      errorCode: 'fingerprint-blocked',
      costCredits: 0,
    },
  },
]
