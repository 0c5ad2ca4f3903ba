// The people who act for a lender. For signed-in people alone: a stolen client secret must not be able to add an owner.
import {
  Invitation,
  Invitations,
  Member,
  MemberRole,
  Members,
  NewInvitation,
  SecondFactorRule,
} from '../../contract/members.ts'
import { component, TIME } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { CREATED_AT } from '../../openapi/samples.ts'

const tag = 'Account'
const read = { who: 'member', permission: 'members' } as const
const change = { who: 'member', permission: 'people', fresh: true } as const

const EMAIL = { format: 'email' }
const ROLE = 'What they may do: the table of roles is in the documentation.'
const REQUIRED = ['Whether two-step sign-in is required.', true] as const

export const memberRows = {
  operations: {
    listMembers: {
      route: 'GET /:tenantId/v1/members',
      rule: read,
      tag,
      summary: 'Who acts for the lender, and as what',
      description: 'By e-mail address.',
      answers: { 200: { says: 'The members.', data: Members } },
    },
    setMemberRole: {
      route: 'PUT /:tenantId/v1/members/:userId',
      rule: { ...change, audit: 'person.role' },
      tag,
      summary: 'Change a member’s role',
      description:
        '`owner` sends them an invitation: until they accept it in their own session, they keep the role they have. The same role again changes nothing. Invitations of a member who is no owner any more stop working. The last owner stays owner.',
      body: { schema: 'MemberRole', reads: MemberRole },
      answers: { 200: { says: 'The member as they are now.', data: Member } },
      errors: ['validation-error', 'not-found'],
    },
    removeMember: {
      route: 'DELETE /:tenantId/v1/members/:userId',
      rule: { ...change, audit: 'person.remove' },
      tag,
      summary: 'End a membership',
      description:
        'They can no longer act for the lender, at once; their account stays theirs. Once more does nothing and answers the same. The last owner stays.',
      answers: { 204: { says: 'They are no member any more.' } },
      errors: ['validation-error'],
    },
    listInvitations: {
      route: 'GET /:tenantId/v1/invitations',
      rule: read,
      tag,
      summary: 'Open invitations, newest first',
      description: 'Without their links: those are in the mails alone.',
      answers: { 200: { says: 'The invitations.', data: Invitations } },
    },
    invite: {
      route: 'POST /:tenantId/v1/invitations',
      rule: { ...change, audit: 'person.invite' },
      tag,
      summary: 'Invite a person by mail',
      description:
        'The link is in the mail alone and works once, for 72 hours. A repeat sends another mail, and its link replaces the one before. 403 where the service sends no mail.',
      body: { schema: 'NewInvitation', reads: NewInvitation },
      answers: { 200: { says: 'The invitation, without its link.', data: Invitation } },
      errors: ['validation-error'],
    },
    withdrawInvitation: {
      route: 'DELETE /:tenantId/v1/invitations/:invitationId',
      rule: { ...change, audit: 'invitation.withdraw' },
      tag,
      summary: 'Withdraw an invitation',
      description: 'Its link stops working. Once more does nothing and answers the same.',
      answers: { 204: { says: 'It is not open any more.' } },
    },
    getSecondFactorRule: {
      route: 'GET /:tenantId/v1/second-factor',
      rule: read,
      tag,
      summary: 'Whether members need two-step sign-in',
      description: 'Not used where an identity provider signs people in.',
      answers: { 200: { says: 'The rule.', data: SecondFactorRule } },
    },
    setSecondFactorRule: {
      route: 'PUT /:tenantId/v1/second-factor',
      rule: { ...change, audit: 'second-factor.require' },
      tag,
      summary: 'Require two-step sign-in of members, or stop requiring it',
      description:
        'Members without it cannot act for the lender until they turn it on; the caller needs it themselves. 403 where an identity provider signs people in.',
      body: { schema: 'SecondFactorRule', reads: SecondFactorRule },
      answers: { 200: { says: 'The rule as it is now.', data: SecondFactorRule } },
      errors: ['validation-error'],
    },
  },
  words: () => ({
    requests: [
      component('MemberRole', MemberRole, 'Another role.', { role: [ROLE, 'finance'] }),
      component('NewInvitation', NewInvitation, 'Whom to invite.', {
        email: ['Where the mail goes.', 'pat@lender.example', EMAIL],
        role: [ROLE, 'support'],
      }),
    ],
    answers: [
      component('SecondFactorRule', SecondFactorRule, 'Whether members need two-step sign-in.', { required: REQUIRED }),
      component('Members', Members, 'Who acts for a lender.', { members: 'One entry for each person.' }),
      component('Member', Member, 'A person who acts for a lender.', {
        id: ['The id of the person.', '01935b7e-0000-7000-8000-000000000001'],
        name: ['First and last name.', 'Pat Doe'],
        email: ['The e-mail address they sign in with.', 'pat@lender.example', EMAIL],
        role: [ROLE, 'finance'],
        totpEnabled: ['Whether two-step sign-in is on.', true],
      }),
      component('Invitations', Invitations, 'Open invitations of a lender.', {
        invitations: 'One entry for each address.',
      }),
      component('Invitation', Invitation, 'An open invitation.', {
        id: ['The id of the invitation.', '01935b7e-0000-7000-8000-000000000002'],
        email: ['Whom it was sent to.', 'pat@lender.example', EMAIL],
        role: [ROLE, 'support'],
        invitedBy: ['The name of the person who invited; absent where the operator did.', 'Sam Lee'],
        expiresAt: ['Until when its link works.', CREATED_AT, TIME],
      }),
    ],
  }),
} satisfies Rows
