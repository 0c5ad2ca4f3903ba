// The console's page about the people who act for a lender.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { Email } from '../../contract/generate.ts'
import { read } from '../../contract/problems.ts'
import { PERMISSIONS, ROLES, type Role } from '../../contract/roles.ts'
import type { ListedClient, ManagedClients } from '../../plugins/clients/manage.ts'
import type { ActCore } from '../../service/act/act.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { permissionsOf } from '../../service/tokens/grants.ts'
import { changeRole, removeMember, requireSecondFactor, withdrawInvitation } from '../identity/acts.ts'
import type { Invite } from '../identity/invite.ts'
import { removedMail, roleChangedMail } from '../identity/mails.ts'
import type { Member, Members } from '../identity/members.ts'
import type { Notify } from '../identity/notify.ts'
import type { OneTimeLinks } from '../identity/one-time-links.ts'
import { normaliseEmail } from '../identity/users.ts'
import { carryOut } from './act-form.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { clientChoice, peopleBody, ROLE_WORDS } from './people-pages.ts'

export type PeoplePageOptions = {
  core: ActCore
  clients: ManagedClients
  links: OneTimeLinks
  members: Members
  invite: Invite
  notify: Notify
  publicUrl: string
  /** False where the service sends no mail: only the operator can hand over an invitation. */
  sendsMail: boolean
  hasOwnLogin: boolean
  visits: Visits
}

const OWN_FIRST = {
  refused: html`Turn on two-step sign-in for yourself first, in <a href="/console/profile">your profile</a>: otherwise you would shut yourself out.`,
}

const NOT_A_MEMBER = { refused: 'That person does not act for this lender any more.', status: 404 } as const

export function peoplePageRoutes(options: PeoplePageOptions): Hono<ServiceEnv> {
  const { core, clients, links, members, invite, notify, publicUrl, sendsMail, hasOwnLogin, visits } = options
  const { show, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()
  const path = '/console/people'

  async function showPeople(context: PageContext, visit: TenantVisit, typed?: { email: string; problem: string }) {
    const { id: tenantId } = visit.tenant
    const body = peopleBody({
      members: await members.list(tenantId),
      invitations: await links.listInvitations(tenantId),
      tenantId,
      userId: visit.user.id,
      isSecondFactorRequired: await members.isSecondFactorRequired(tenantId),
      mayChange: may(visit, 'people'),
      hasOwnLogin,
      sendsMail,
      press: visit.press,
      ...(typed ? { typed } : {}),
    })
    return show(context, visit, { path, title: typed ? 'Error: people' : 'People', body }, typed ? 400 : 200)
  }

  async function memberOf(context: PageContext, { tenant }: TenantVisit): Promise<Member | undefined> {
    const id = context.req.param('person')
    return (await members.list(tenant.id)).find((member) => member.id === id)
  }

  /** Clients that the member made, which go on without them, and can do more than `role` may; null: no role at all. */
  async function clientsBeyond({ tenant }: TenantVisit, member: Member, role: Role | null): Promise<ListedClient[]> {
    const isWithin = (client: ListedClient) =>
      role !== null &&
      permissionsOf({ scopes: client.scopes, testOnly: client.isTestOnly }).every((permission) =>
        PERMISSIONS[role].includes(permission),
      )
    return (await clients.list(tenant.id)).filter(
      (client) => client.maker?.id === member.id && client.disabledAtMs === null && !isWithin(client),
    )
  }

  /** Those that are ticked end before the membership does: after a crash in between the page still lists the others. */
  async function revokeTicked(
    context: PageContext,
    visit: TenantVisit,
    { member, role, form }: { member: Member; role: Role | null; form: URLSearchParams },
  ): Promise<void> {
    const tenantId = visit.tenant.id
    if (role !== 'owner' && (await members.isLastOwner(tenantId, member))) return
    const ticked = form.getAll('revoke')
    for (const { id } of await clientsBeyond(visit, member, role))
      if (ticked.includes(id)) await clients.disable(context.get('actAs')('client.revoke'), id, tenantId)
  }

  /** No role has changed yet: what is written down is the invitation. */
  function offerOwner(context: PageContext, { tenant, user }: TenantVisit, { email }: Member) {
    context.set('isAsked', true)
    return invite(context.get('actAs')('person.invite'), {
      tenantId: tenant.id,
      tenantName: tenant.name,
      email,
      role: 'owner',
      by: { id: user.id, name: `${user.firstName} ${user.lastName}` },
      requestId: context.get('requestId'),
    })
  }

  get(path, (context, visit) => showPeople(context, visit))

  post(path, path, async (context, visit, form) => {
    const typed = (form.get('email') ?? '').trim()
    const again = (problem: string) => showPeople(context, visit, { email: typed, problem })
    const role = ROLES.find((each) => each === form.get('role'))
    const email = read(Email, normaliseEmail(typed))
    if (!email.ok) return again('Type an e-mail address, for example pat@lender.example.')
    if (role === undefined) return again('Choose a role.')
    const { tenant, user } = visit
    const notInvited = await invite(context.get('act'), {
      tenantId: tenant.id,
      tenantName: tenant.name,
      email: email.value,
      role,
      by: { id: user.id, name: `${user.firstName} ${user.lastName}` },
      requestId: context.get('requestId'),
    })
    if (notInvited !== null)
      return ['member', 'limit'].includes(notInvited.why) ? again(notInvited.problem) : { refused: notInvited.problem }
    return { notice: `The invitation was sent to ${email.value}.` }
  })

  ask(
    `${path}/invitations/:invitationId/withdraw`,
    path,
    async (context, visit) => {
      const id = context.req.param('invitationId')
      const invitation = (await links.listInvitations(visit.tenant.id)).find((each) => each.id === id)
      if (invitation === undefined) return NO_INVITATION
      return {
        title: 'Withdraw this invitation?',
        body: html`<p>The link that was sent to ${invitation.email} stops working. You can invite them again.</p>`,
        button: 'Withdraw it',
        isDanger: true,
      }
    },
    async (context, _visit, form) => {
      const withdrawn = await carryOut(context, { core, act: withdrawInvitation, form })
      return 'refused' in withdrawn ? withdrawn : { notice: `The invitation of ${withdrawn.done.email} was withdrawn.` }
    },
  )

  ask(
    `${path}/second-factor`,
    path,
    async (_context, visit) => {
      if (await members.isSecondFactorRequired(visit.tenant.id)) {
        return {
          title: 'Make two-step sign-in optional?',
          body: html`<p>Everyone can then act for ${visit.tenant.name} with a password alone.</p>`,
          fields: html`<input type="hidden" name="secondFactor" value="optional">`,
          button: 'Make it optional',
          isDanger: true,
        }
      }
      if (!visit.user.totpEnabled) return OWN_FIRST
      const without = (await members.list(visit.tenant.id)).filter(({ totpEnabled }) => !totpEnabled)
      return {
        title: 'Require two-step sign-in?',
        body:
          without.length === 0
            ? html`<p>Everyone here has turned it on already.</p>`
            : html`<p>These people cannot act for ${visit.tenant.name} until they turn it on in their profile:</p>
  <ul>${without.map(({ name, email }) => html`<li>${name} (${email})</li>`)}</ul>`,
        fields: html`<input type="hidden" name="secondFactor" value="required">`,
        button: 'Require it',
      }
    },
    async (context, _visit, form) => {
      if (!hasOwnLogin) return { refused: 'Your identity provider looks after second factors.' }
      const set = await carryOut(context, { core, act: requireSecondFactor, form })
      return 'refused' in set ? set : { notice: `Two-step sign-in is ${set.done.secondFactor} now.` }
    },
  )

  ask(
    `${path}/:person/role`,
    path,
    async (context, visit) => {
      const member = await memberOf(context, visit)
      if (member === undefined) return NOT_A_MEMBER
      const role = roleOf(context.req.query('role'))
      if (role === null) return { refused: 'Choose a role.' }
      if (role === member.role) return { refused: `${member.email} is ${role} already.` }
      return {
        title: `Make ${member.name} ${role}?`,
        body: html`<p>${member.email} is ${member.role} now: ${ROLE_WORDS[member.role]}.</p>
  <p>As ${role}: ${ROLE_WORDS[role]}.</p>
  ${role === 'owner' ? html`<p>They become an owner when they accept. Until then they stay ${member.role}.</p>` : html`<p>Invitations they sent stop working.</p>`}
  ${member.id === visit.user.id ? html`<p><strong>This is you:</strong> only another owner can give the role back.</p>` : ''}`,
        fields: html`<input type="hidden" name="role" value="${role}">${clientChoice(await clientsBeyond(visit, member, role))}`,
        button: role === 'owner' ? 'Ask them' : 'Change the role',
        isDanger: role !== 'owner',
      }
    },
    async (context, visit, form) => {
      const role = roleOf(form.get('role'))
      const member = await memberOf(context, visit)
      if (member === undefined) return NOT_A_MEMBER
      if (role === 'owner' && member.role !== 'owner') {
        const notOffered = await offerOwner(context, visit, member)
        if (notOffered !== null) return { refused: notOffered.problem }
        return { notice: `${member.email} was asked to become an owner. Until they accept, they stay ${member.role}.` }
      }
      if (role !== null) await revokeTicked(context, visit, { member, role, form })
      const changed = await carryOut(context, { core, act: changeRole, form })
      if ('refused' in changed) return changed
      const { role: to, was: from } = changed.done
      if (to !== from && to !== 'none' && member.id !== visit.user.id)
        notify([member], roleChangedMail({ publicUrl }, { ...placeOf(visit), from, to }))
      return { notice: `${member.email} is ${to} now, and was ${from}.` }
    },
  )

  ask(
    `${path}/:person/remove`,
    path,
    async (context, visit) => {
      const member = await memberOf(context, visit)
      if (member === undefined) return NOT_A_MEMBER
      return {
        title: `Remove ${member.name}?`,
        body: html`<p>${member.email} can no longer act for ${visit.tenant.name}, at once, and invitations they sent stop working. Their account stays theirs; to come back they need an invitation.</p>
  ${member.id === visit.user.id ? html`<p><strong>This is you.</strong></p>` : ''}`,
        fields: clientChoice(await clientsBeyond(visit, member, null)),
        button: 'Remove',
        isDanger: true,
      }
    },
    async (context, visit, form) => {
      const member = await memberOf(context, visit)
      if (member === undefined) return NOT_A_MEMBER
      await revokeTicked(context, visit, { member, role: null, form })
      const removed = await carryOut(context, { core, act: removeMember, form })
      if ('refused' in removed) return removed
      if (member.id !== visit.user.id) notify([member], removedMail(placeOf(visit)))
      return { notice: `${member.email} was removed.` }
    },
  )

  return routes
}

/** The lender and the person at the page, by name. */
function placeOf({ tenant, user }: TenantVisit): { tenantName: string; by: string } {
  return { tenantName: tenant.name, by: `${user.firstName} ${user.lastName}` }
}

const NO_INVITATION = { refused: 'That invitation was used, withdrawn or has expired.', status: 404 } as const

function roleOf(given: string | null | undefined): Role | null {
  return ROLES.find((role) => role === given) ?? null
}
