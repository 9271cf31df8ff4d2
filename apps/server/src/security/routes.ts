import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { signInApi } from './api-routes.ts'
import { signInPages } from './page-routes.ts'
import { createThrottle } from './throttle.ts'

export function securityRoutes(app: App, deps: Deps): void {
  const throttle = createThrottle(() => deps.now().getTime())
  signInApi(app, deps, throttle)
  signInPages(app, deps, throttle)
}
