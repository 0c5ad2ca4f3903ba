import { expired, type Journey, right, unavailable } from './journey.ts'

const allowed = { group: 'refused', branch: 'allow', scenario: 'default', steps: [] } as const
const challenged = { group: 'refused', branch: 'challenge', scenario: 'default', steps: [right] } as const

/** Every way a server can say no. */
export const refusedJourneys: readonly Journey[] = [
  {
    ...allowed,
    id: 'insufficient-funds',
    title: '402 insufficient-funds',
    about: 'A lender without credits. The consumer reads nothing about money.',
    stage: 'no-funds',
    ends: unavailable('insufficient-funds'),
  },
  {
    ...allowed,
    id: 'insufficient-credits',
    title: '402 insufficient-credits',
    about: 'The same condition under its other name.',
    stage: 'no-credits',
    ends: unavailable('insufficient-funds'),
  },
  {
    ...allowed,
    id: 'rate-limited',
    title: '429 rate-limited',
    about: 'Too many checks from one address; a clock time says when to come back.',
    stage: 'rate-limited',
    ends: {
      heading: 'Wait a few minutes, then try again',
      events: ['error'],
      errorCode: 'rate-limited',
      costCredits: 0,
    },
  },
  {
    ...allowed,
    id: 'unauthorized',
    title: '401 unauthorized',
    about: 'The lender’s own sign-in, in front of the proxy, has expired.',
    stage: 'signed-out',
    ends: { heading: 'Your session has ended', events: ['error'], errorCode: 'unauthorized', costCredits: 0 },
  },
  {
    ...allowed,
    id: 'forbidden',
    title: '403 forbidden',
    about: 'The lender’s server does not let this page ask.',
    stage: 'forbidden',
    ends: unavailable('forbidden'),
  },
  {
    ...challenged,
    id: 'credit-report-not-found',
    title: '404 credit-report-not-found',
    about: 'The browser lost its cookie between the text and the code.',
    stage: 'cookie-lost',
    ends: {
      ...expired,
      heading: 'Your session has ended',
      events: ['challenged', 'error'],
      errorCode: 'credit-report-not-found',
    },
  },
  {
    ...challenged,
    id: 'challenge-not-found',
    title: '404 challenge-not-found',
    about: 'The service does not know the challenge any more.',
    stage: 'challenge-lost',
    ends: {
      ...expired,
      heading: 'Your session has ended',
      events: ['challenged', 'error'],
      errorCode: 'challenge-not-found',
    },
  },
  {
    ...allowed,
    id: 'wrong-secret',
    title: 'Wrong credentials at the lender',
    about: 'The service refuses the proxy. The consumer hears nothing of it; the doctor says what to fix.',
    stage: 'wrong-secret',
    ends: unavailable('misconfigured'),
  },
]
