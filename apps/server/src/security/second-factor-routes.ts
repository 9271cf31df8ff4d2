import { AppError, message, secondFactorRoutes as routes } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { unprocessable, unprocessableFields } from '../http/writing.ts'
import { formatStoredTime } from '../store/time.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import {
  beginSetUp,
  confirmSetUp,
  describeSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  requiresSecondFactor,
  acceptCode,
  wrongCode,
} from './second-factor.ts'
import { type CodeAttempts, throttleCodes } from './code-attempts.ts'
import { checkPassword } from './sign-in.ts'
import type { BeginAttempt } from './sign-in-throttle.ts'
import { requireManageableUser } from './user-management.ts'

/** Second factors of the caller and of users whose accounts they manage, and the second step of a sign-in. */
export function secondFactorRoutes(
  app: App,
  deps: HttpDeps,
  { beginAttempt, sessions }: { beginAttempt: BeginAttempt; sessions: BrowserSessions },
): void {
  const { db, now } = deps
  const attempts: CodeAttempts = throttleCodes(beginAttempt)

  async function ownAccount({ id, username }: Principal) {
    if (id === null || username === null) throw new AppError('forbidden')
    const { uuid } = await db.selectFrom('user').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
    return { id, uuid, username }
  }
  /** @throws AppError `unprocessable` naming the field */
  async function requirePassword(principal: Principal, password: string, address: string) {
    const account = await ownAccount(principal)
    const { id, username } = account
    if ((await checkPassword(deps, beginAttempt, { username, password, address })) !== id)
      throw unprocessableFields({
        current_password: [message('errors.security.currentPassword', 'The current password is incorrect.')],
      })
    return account
  }

  serve(app, routes.item, async ({ principal }) => ({
    result: await describeSecondFactor(db, (await ownAccount(principal)).id),
  }))

  serve(app, routes.begin, async ({ body, principal, request }) => {
    const account = await requirePassword(principal, body.current_password, request.ip)
    if (await findSecondFactor(db, account.id))
      throw unprocessable(
        message('errors.security.hasSecondFactor', 'Your account already has a second factor. Remove it first.'),
      )
    return { result: await beginSetUp(deps, account, true) }
  })

  serve(app, routes.confirm, async ({ body, principal }) => {
    const account = await ownAccount(principal)
    const codes = await attempts(account, () => confirmSetUp(deps, account, body.code))
    if (codes === null) throw wrongCode()
    return { result: { recovery_codes: codes } }
  })

  serve(app, routes.renewCodes, async ({ body, principal, request }) => {
    const { id } = await requirePassword(principal, body.current_password, request.ip)
    if (!(await findSecondFactor(db, id)))
      throw unprocessable(message('errors.security.noSecondFactor', 'Your account has no second factor.'))
    return { result: { recovery_codes: await db.transaction().execute((trx) => replaceRecoveryCodes(trx, id)) } }
  })

  serve(app, routes.disable, async ({ body, principal, request }) => {
    const { id } = await requirePassword(principal, body.current_password, request.ip)
    if (await requiresSecondFactor(db, id))
      throw unprocessable(
        message('errors.security.secondFactorRequired', 'One of your roles requires a second factor.'),
      )
    await removeSecondFactor(db, id)
    return { message: 'OK' }
  })

  serve(app, routes.userItem, async ({ params, principal }) => {
    await requireManageableUser(db, principal, params.id, 'read')
    return { result: await describeSecondFactor(db, params.id) }
  })

  serve(app, routes.userReset, async ({ params, principal, event }) => {
    await requireManageableUser(db, principal, params.id, 'write')
    event.json = { user: params.id }
    if (!(await removeSecondFactor(db, params.id))) throw new AppError('not_found')
    return { message: 'OK' }
  })

  serve(app, routes.roleItem, async ({ params }) => {
    const role = await db
      .selectFrom('role')
      .select('requires_second_factor')
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (!role) throw new AppError('not_found')
    return { result: { required: role.requires_second_factor === 1 } }
  })

  serve(app, routes.roleUpdate, async ({ params, body, principal, event }) => {
    if (!principal.isAdmin) throw new AppError('forbidden')
    event.json = { role: params.id, required: body.required }
    const { numUpdatedRows } = await db
      .updateTable('role')
      .set({
        requires_second_factor: body.required ? 1 : 0,
        changed_on: formatStoredTime(now()),
        changed_by_fk: principal.id,
      })
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('not_found')
    return { result: { required: body.required } }
  })

  serve(app, routes.secondStep, async ({ body, request, reply, event }) => {
    event.action = 'sign-in failed'
    const account = await sessions.findSecondStep(request)
    if (!account)
      throw new AppError('not_signed_in', {
        message: message('errors.security.secondStepOver', 'This took too long. Enter your password again.'),
      })
    event.user_id = account.id
    const isSetUp = (await findSecondFactor(db, account.id)) === undefined
    const recovery_codes = await attempts(account, async () => {
      if (isSetUp) return confirmSetUp(deps, account, body.code)
      return (await acceptCode(deps, account, body.code)) ? [] : null
    })
    if (recovery_codes === null) {
      await app.audit.now(event, performance.now() - request.startedAt, null)
      throw wrongCode()
    }
    event.action = 'sign-in'
    await sessions.openSession(request, reply, account.id)
    return { signed_in: true, ...(isSetUp && { recovery_codes }) }
  })
}
