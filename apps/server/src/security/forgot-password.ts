import { AppError, message, forgotPassword } from '@parquetry/model'
import { sql, type Kysely } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'
import type { Tables } from '../store/tables.ts'
import { canEmailLinks, emailLink } from './email-link.ts'
import { insertLink, linkPath } from './one-time-link.ts'

const linkHours = 1
/** Requests from one address, and time between two e-mails to one account. */
const limits = { perAddress: 10, windowMs: 15 * 60_000, accountMs: 5 * 60_000, inProgress: 10 }

/**
 * True when users can ask for a link by themselves. Its address must be set, because an anonymous request could otherwise make the
 * e-mail link to another server.
 */
export const canAskForLink = (settings: Pick<Settings, 'config' | 'baseUrl'>): boolean =>
  canEmailLinks(settings) && settings.baseUrl !== null

/** Counts calls by key; old counts are dropped. */
function createCounter(windowMs: number, now: () => number) {
  const counts = new Map<string, { since: number; count: number }>()
  return function count(key: string): number {
    if (counts.size > 20_000) for (const [old, { since }] of counts) if (now() - since > windowMs) counts.delete(old)
    const known = counts.get(key)
    const current = known && now() - known.since <= windowMs ? known : { since: now(), count: 0 }
    counts.set(key, { ...current, count: current.count + 1 })
    return current.count + 1
  }
}

/** The active user with this e-mail address, in any spelling; undefined for none and for several. */
async function findUser(db: Kysely<Tables>, email: string) {
  const users = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', email.trim().toLowerCase())
    .where('active', '=', 1)
    .limit(2)
    .execute()
  return users.length === 1 ? users[0] : undefined
}

/** Sends a link for a new password to the address of an account. The response is the same for every address. */
export function forgotPasswordRoute(app: App, { db, settings, now, steadyMs }: HttpDeps): void {
  const countAddress = createCounter(limits.windowMs, steadyMs)
  const countAccount = createCounter(limits.accountMs, steadyMs)
  let inProgress = 0

  /** Runs after the response, so that its time says nothing either. */
  async function sendLink(email: string, baseUrl: string): Promise<void> {
    if (inProgress >= limits.inProgress) return
    inProgress += 1
    try {
      const user = await findUser(db, email)
      if (!user || countAccount(String(user.id)) > 1) return
      const { token } = await db
        .transaction()
        .execute((trx) => insertLink(trx, { userId: user.id, authorId: null, hours: linkHours }, now()))
      const link = `${baseUrl}${linkPath(token)}`
      const { email_sent, email_error } = await emailLink(settings, 'reset', { to: user.email, link, hours: linkHours })
      if (email_sent !== true)
        app.http.log.warn({ user: user.id, email_error }, 'a link for a new password was not sent')
    } catch (error) {
      app.http.log.error({ err: error }, 'a link for a new password was not sent')
    } finally {
      inProgress -= 1
    }
  }

  serve(app, forgotPassword, ({ body, request }) => {
    if (!canAskForLink(settings)) throw new AppError('not_found')
    if (countAddress(request.ip) > limits.perAddress)
      throw new AppError('too_many', {
        message: message('errors.security.tooManyResets', 'Too many requests. Try again in 15 minutes.'),
        details: { retryAfter: limits.windowMs / 1000 },
      })
    void sendLink(body.email, settings.baseUrl ?? '')
    return {
      message: errorTranslator(settings)(
        'errors.security.resetSent',
        'If an account has this email address, a link for a new password was sent to it.',
      ),
    }
  })
}
