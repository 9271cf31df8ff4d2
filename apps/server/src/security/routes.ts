import type { App, HttpDeps } from '../http/app.ts'
import { parseRate } from '../settings/parse-rate.ts'
import { signInApi } from './api-routes.ts'
import { signInPages } from './page-routes.ts'
import { createThrottle } from './sign-in-throttle.ts'

export function securityRoutes(app: App, deps: HttpDeps): void {
  const { AUTH_RATE_LIMITED, AUTH_RATE_LIMIT } = deps.settings.config
  const rate = AUTH_RATE_LIMITED ? (parseRate(AUTH_RATE_LIMIT) ?? null) : null
  const throttle = createThrottle(rate, deps.steadyMs)
  signInApi(app, deps, throttle)
  signInPages(app, deps, throttle)
}
