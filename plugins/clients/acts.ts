// Changes of API clients. Making credentials is for people: a stolen token must not outlive its client.
import * as z from 'zod/mini'
import { ClientName, newApiClient, OVERLAP_DEFAULT_HOURS, ReplaceClientSecret } from '../../contract/integration.ts'
import { rolesWith } from '../../contract/roles.ts'
import { DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { type ActCore, type Actor, act } from '../../service/act/act.ts'
import { ApiError, validationError } from '../../service/http/api-error.ts'
import { newClientSecret } from '../../service/tokens/client-secret.ts'
import { SCOPES, type Scope, USUAL_SCOPES } from '../../service/tokens/clients.ts'
import { permissionsOf } from '../../service/tokens/grants.ts'
import { idOf, type ListedClient, manageClients, SECRETS_MAX } from './manage.ts'

export const NewApiClient = newApiClient(SCOPES as [Scope, ...Scope[]])
const OwnId = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/, 'must have 3 to 40 lower-case letters, digits and hyphens'))
const clientId = z.string()
const common = { doors: ['console', 'api', 'admin'], permission: 'integration', fresh: true } as const

export const createClient = act({
  ...common,
  name: 'client.create',
  says: 'Make an API client; its secret is shown once',
  reads: z.extend(NewApiClient, { id: z.optional(OwnId) }),
  operatorOnly: ['id'],
  audit: 'client.create',
  async run(core, actor, { id, name, scopes = [...USUAL_SCOPES], testOnly = false, secretEndsInDays }) {
    requireGrant(actor, { scopes, testOnly })
    const { tenantId, person: maker, acting } = actor
    const expiresAtMs = endOf(core, secretEndsInDays)
    const client = { tenantId, name, scopes: [...new Set(scopes)], testOnly, maker, expiresAtMs }
    const clients = manageClients(core)
    if (id === undefined) return showMade(await clients.make(acting, client))
    const secret = newClientSecret()
    if (await clients.create(acting, { ...client, id, secret }))
      return { clientId: id, secretId: idOf(secret), clientSecret: secret }
    throw validationError([{ path: 'id', expected: 'is taken, or was: choose another' }])
  },
})

export const renameClient = act({
  ...common,
  name: 'client.rename',
  says: 'Rename an API client; its id stays',
  reads: z.object({ clientId, name: ClientName }),
  names: ['clientId'],
  fresh: false,
  audit: 'client.rename',
  async run(core, actor, input) {
    const { tenantId, acting } = actor
    const { name } = await requireClient(core, actor, input.clientId)
    if (name === input.name) return input
    if (!(await manageClients(core).rename(acting, { ...input, tenantId }))) throw noClient(input.clientId)
    return input
  },
})

export const replaceSecret = act({
  ...common,
  name: 'client.replace-secret',
  says: 'Give an API client a new secret, shown once; the others work for another day, or for the hours given',
  reads: z.extend(ReplaceClientSecret, { clientId }),
  names: ['clientId'],
  audit: 'client-secret.replace',
  async run(core, actor, { clientId, overlapHours = OVERLAP_DEFAULT_HOURS, secretEndsInDays }) {
    const client = await requireClient(core, actor, clientId)
    // With the secret comes all that the client can do.
    requireGrant(actor, { scopes: client.scopes, testOnly: client.isTestOnly })
    const othersEndAtMs = core.clock() + overlapHours * HOUR_MS
    const expiresAtMs = endOf(core, secretEndsInDays)
    const wanted = { clientId, tenantId: actor.tenantId, othersEndAtMs, expiresAtMs }
    const replaced = await manageClients(core).replaceSecret(actor.acting, wanted)
    if (replaced !== null) return showMade({ clientId, ...replaced })
    await requireClient(core, actor, clientId)
    throw validationError([
      { path: 'overlapHours', expected: `must be 0: ${SECRETS_MAX} secrets of this client work already` },
    ])
  },
})

export const endSecret = act({
  ...common,
  name: 'client.end-secret',
  says: 'End one secret of an API client now; its tokens work for up to 15 minutes',
  reads: z.object({ clientId, secretId: z.string() }),
  names: ['clientId', 'secretId'],
  isFinal: true,
  audit: 'client-secret.end',
  async run(core, { tenantId, acting }, input) {
    const isEnded = await manageClients(core).endSecret(acting, { ...input, tenantId })
    if (!isEnded)
      throw new ApiError('not-found', `client "${input.clientId}" has no secret "${input.secretId}" that works`)
    return input
  },
})

export const revokeClient = act({
  ...common,
  name: 'client.revoke',
  says: 'Revoke an API client for good; its tokens stop within a minute',
  reads: z.object({ clientId }),
  names: ['clientId'],
  isFinal: true,
  audit: 'client.revoke',
  async run(core, { tenantId, acting }, { clientId }) {
    if (!(await manageClients(core).disable(acting, clientId, tenantId))) throw noClient(clientId)
    return { clientId }
  },
})

export const clientActs = [createClient, renameClient, replaceSecret, endSecret, revokeClient]

/** Throws unless the actor can do by themselves all that the client can. */
function requireGrant(actor: Actor, { scopes, testOnly }: { scopes: readonly Scope[]; testOnly: boolean }): void {
  const beyond = scopes.filter((scope) => !permissionsOf({ scopes: [scope], testOnly }).every(actor.may))
  if (beyond.length === 0) return
  const missing = permissionsOf({ scopes: beyond, testOnly }).find((permission) => !actor.may(permission)) ?? 'data'
  const kind = testOnly ? 'a client' : 'a live client'
  throw new ApiError(
    'forbidden',
    `${kind} with ${beyond.join(', ')} needs the role ${rolesWith(missing)} at the lender`,
  )
}

async function requireClient(core: ActCore, { tenantId }: Actor, clientId: string): Promise<ListedClient> {
  const client = (await manageClients(core).list(tenantId)).find(({ id }) => id === clientId)
  if (client === undefined || client.disabledAtMs !== null) throw noClient(clientId)
  return client
}

function showMade({ secret: clientSecret, ...made }: { clientId: string; secretId: string; secret: string }) {
  return { ...made, clientSecret }
}

function noClient(clientId: string): ApiError {
  return new ApiError('not-found', `there is no client "${clientId}", or it was revoked`)
}

function endOf({ clock }: ActCore, days: number | undefined): number | undefined {
  return days === undefined ? undefined : clock() + days * DAY_MS
}
