import { AppError, kvRoutes as routes, message } from '@parquetry/model'
import { randomInt } from 'node:crypto'
import type { App, HttpDeps } from '../http/app.ts'
import { parseJson } from '../http/json-body.ts'
import { serve } from '../http/serve.ts'
import { type KeyValueStore, readValue, writeValue } from '../store/key-values.ts'

/** Upper bound of `randomInt`. */
const maxKey = 2 ** 48 - 1

/** `/kv/` (flag KV_STORE). The API requires an integer key; it is random because it grants access to the text. */
export function kvRoutes(app: App, deps: HttpDeps): void {
  if (deps.settings.flags['KV_STORE'] !== true) return
  const quotaMb = deps.settings.config.LINK_QUOTA_MB
  const store = (): KeyValueStore => ({ db: deps.db, resource: 'kv', days: null, now: deps.now(), quotaMb })

  serve(app, routes.store, async ({ body, principal }) => {
    const { data } = body
    if (data === undefined)
      throw new AppError('bad_request', {
        message: message('errors.http.fieldMissing', 'The field {name} is missing.', { name: 'data' }),
      })
    parseJson(data)
    const id = randomInt(1, maxKey)
    await writeValue(store(), String(id), { value: data, user_id: principal.id })
    return { id }
  })
  serve(app, routes.value, async ({ params, reply }) => {
    const stored = await readValue(store(), String(params.key))
    if (!stored) return reply.code(404).type('text/plain; charset=utf-8').send('')
    return reply.type('text/plain; charset=utf-8').send(stored.value)
  })
}
