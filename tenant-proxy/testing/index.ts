// The door of the published package (`credit-report-widget/testing`): for the tests of a lender's own, without a
// service or a network.
export { TRIGGERS as triggers, type Trigger } from '../../contract/test-triggers.ts'
export { type CheckOptions, type PlayedCheck, playCheck } from './check.ts'
export { createTestService, type SeenRequest, type TestService, type TestServiceOptions } from './service.ts'
export { type SignedWebhook, signedWebhook } from './webhook.ts'
