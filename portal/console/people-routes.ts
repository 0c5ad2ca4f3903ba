// The console's page about the people who act for a lender.
import { Hono } from 'hono'
import { ROLES, type Role } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Members } from '../members.ts'
import { hashPassword, newPassword } from '../password.ts'
import { readForm } from '../read-form.ts'
import type { Users } from '../users.ts'
import type { Visit } from './frame.ts'
import { type PeopleView, peopleBody } from './people-pages.ts'
import type { PageContext, Visits } from './visit.ts'

export type PeoplePageOptions = { users: Users; members: Members; hasOwnLogin: boolean; visits: Visits }

const NAME_LENGTH_MAX = 100
const emailShape = /^[^\s@]{1,100}@[^\s@]{1,150}$/
const LAST_OWNER = 'Nothing was changed: they are not here any more, or are the last owner.'

export function peoplePageRoutes({ users, members, hasOwnLogin, visits }: PeoplePageOptions): Hono<ServiceEnv> {
  const { visitOf, show, choose } = visits
  const routes = new Hono<ServiceEnv>()

  type Extra = Partial<Pick<PeopleView, 'created' | 'problem'>>
  async function showPeople(context: PageContext, visit: Visit, extra: Extra = {}) {
    if (visit.tenant === null) return choose(context, visit)
    const { id } = visit.tenant
    const body = peopleBody({
      members: await members.list(id),
      userId: visit.user.id,
      isSecondFactorRequired: await members.isSecondFactorRequired(id),
      hasOwnLogin,
      ...extra,
    })
    const page = { path: '/console/people', title: 'People', body }
    return show(context, visit, page, extra.problem === undefined ? 200 : 409)
  }

  routes.get('/console/people', async (context) => showPeople(context, await visitOf(context)))

  routes.post('/console/people', async (context) => {
    const form = await readForm(context.req.raw)
    const visit = await visitOf(context)
    if (visit.tenant === null) return choose(context, visit)
    const text = (name: string) => (form.get(name) ?? '').trim()
    const [email, firstName, lastName, role] = [text('email'), text('firstName'), text('lastName'), roleOf(form)]
    const isNamed = [firstName, lastName].every((name) => name !== '' && name.length <= NAME_LENGTH_MAX)
    if (!emailShape.test(email) || !isNamed || role === null) {
      return showPeople(context, visit, { problem: 'An e-mail address, both names and a role are needed.' })
    }
    if (await users.join(email, visit.tenant.id, role)) {
      return showPeople(context, visit, { created: { email, password: null } })
    }
    const password = hasOwnLogin ? newPassword() : null
    const hash = password === null ? {} : { passwordHash: await hashPassword(password) }
    const user = await users.create({ email, firstName, lastName, tenantIds: [visit.tenant.id], role, ...hash })
    return showPeople(
      context,
      visit,
      user === null ? { problem: 'That person cannot be added.' } : { created: { email, password } },
    )
  })

  routes.post('/console/people/second-factor', async (context) => {
    const form = await readForm(context.req.raw)
    const visit = await visitOf(context)
    if (visit.tenant === null) return choose(context, visit)
    if (hasOwnLogin) await members.requireSecondFactor(visit.tenant.id, form.get('required') === '1')
    return context.redirect('/console/people', 303)
  })

  async function changeRole(context: PageContext, role: Role | null) {
    const visit = await visitOf(context)
    if (visit.tenant === null) return choose(context, visit)
    const userId = context.req.param('userId') ?? ''
    const isChanged = await members.setRole({ tenantId: visit.tenant.id, userId, role })
    return isChanged ? context.redirect('/console/people', 303) : showPeople(context, visit, { problem: LAST_OWNER })
  }

  routes.post('/console/people/:userId/role', async (context) => {
    const role = roleOf(await readForm(context.req.raw))
    if (role !== null) return changeRole(context, role)
    return showPeople(context, await visitOf(context), { problem: 'Choose a role.' })
  })

  routes.post('/console/people/:userId/remove', (context) => changeRole(context, null))

  return routes
}

function roleOf(form: URLSearchParams): Role | null {
  return ROLES.find((role) => role === form.get('role')) ?? null
}
