// The console's page about the people who act for a lender.
import type { Hono } from 'hono'
import { ROLES, type Role } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Members } from '../members.ts'
import { hashPassword, newPassword } from '../password.ts'
import { readForm } from '../read-form.ts'
import type { Users } from '../users.ts'
import type { TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { type PeopleView, peopleBody } from './people-pages.ts'

type PeoplePageOptions = { users: Users; members: Members; hasOwnLogin: boolean; visits: Visits }

const NAME_LENGTH_MAX = 100
const emailShape = /^[^\s@]{1,100}@[^\s@]{1,150}$/
const LAST_OWNER = 'Nothing was changed: they are not here any more, or are the last owner.'

export function peoplePageRoutes({ users, members, hasOwnLogin, visits }: PeoplePageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post } = tenantPages()
  const path = '/console/people'

  type Extra = Partial<Pick<PeopleView, 'created' | 'problem'>>
  async function showPeople(context: PageContext, visit: TenantVisit, extra: Extra = {}) {
    const { id } = visit.tenant
    const body = peopleBody({
      members: await members.list(id),
      userId: visit.user.id,
      isSecondFactorRequired: await members.isSecondFactorRequired(id),
      hasOwnLogin,
      ...extra,
    })
    return show(context, visit, { path, title: 'People', body }, extra.problem === undefined ? 200 : 409)
  }

  get(path, showPeople)

  post(path, async (context, visit) => {
    const form = await readForm(context.req.raw)
    const { id: tenantId } = visit.tenant
    const field = (name: string) => (form.get(name) ?? '').trim()
    const [email, firstName, lastName, role] = [field('email'), field('firstName'), field('lastName'), roleOf(form)]
    const isNamed = [firstName, lastName].every((name) => name !== '' && name.length <= NAME_LENGTH_MAX)
    if (!emailShape.test(email) || !isNamed || role === null) {
      return showPeople(context, visit, { problem: 'An e-mail address, both names and a role are needed.' })
    }
    const act = context.get('act')
    if (await users.join(act, email, tenantId, role)) {
      return showPeople(context, visit, { created: { email, password: null } })
    }
    const password = hasOwnLogin ? newPassword() : null
    const hash = password === null ? {} : { passwordHash: await hashPassword(password) }
    const user = await users.create(act, { email, firstName, lastName, tenantIds: [tenantId], role, ...hash })
    const problem = 'That person cannot be added.'
    return showPeople(context, visit, user === null ? { problem } : { created: { email, password } })
  })

  post(`${path}/second-factor`, async (context, visit) => {
    const isRequired = (await readForm(context.req.raw)).get('required') === '1'
    if (hasOwnLogin) await members.requireSecondFactor(context.get('act'), visit.tenant.id, isRequired)
    return context.redirect(path, 303)
  })

  async function changeRole(context: PageContext, visit: TenantVisit, role: Role | null) {
    const member = { tenantId: visit.tenant.id, userId: context.req.param('userId') ?? '', role }
    if (await members.setRole(context.get('act'), member)) return context.redirect(path, 303)
    return showPeople(context, visit, { problem: LAST_OWNER })
  }

  post(`${path}/:userId/role`, async (context, visit) => {
    const role = roleOf(await readForm(context.req.raw))
    return role === null ? showPeople(context, visit, { problem: 'Choose a role.' }) : changeRole(context, visit, role)
  })

  post(`${path}/:userId/remove`, (context, visit) => changeRole(context, visit, null))

  return routes
}

function roleOf(form: URLSearchParams): Role | null {
  return ROLES.find((role) => role === form.get('role')) ?? null
}
