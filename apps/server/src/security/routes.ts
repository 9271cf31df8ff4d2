import type { App, HttpDeps } from '../http/app.ts'
import { parseRate } from '../settings/parse-rate.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { createBrowserSessions } from './browser-sessions.ts'
import { forgotPasswordRoute } from './forgot-password.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { resetLinkRoutes } from './reset-link-routes.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { signInApi } from './api-routes.ts'
import { signInPages } from './page-routes.ts'
import { createThrottle } from './sign-in-throttle.ts'

export function securityRoutes(app: App, deps: HttpDeps): void {
  const { AUTH_RATE_LIMITED, AUTH_RATE_LIMIT } = deps.settings.config
  const rate = AUTH_RATE_LIMITED ? (parseRate(AUTH_RATE_LIMIT) ?? null) : null
  const beginAttempt = createThrottle(rate, deps.steadyMs)
  signInApi(app, deps, beginAttempt)
  const browserSessions = createBrowserSessions(app, deps)
  signInPages(app, deps, beginAttempt, browserSessions)
  sessionRoutes(app, deps)
  invitationRoutes(app, deps, browserSessions)
  resetLinkRoutes(app, deps)
  forgotPasswordRoute(app, deps)
  secondFactorRoutes(app, deps, { beginAttempt, sessions: browserSessions })
  apiKeyRoutes(app, deps)
}
