import type { Deps } from './deps.ts'
import type { App } from './http/app.ts'
import { healthRoutes } from './http/health.ts'
import { securityRoutes } from './security/routes.ts'

/** Every folder with routes, one line each. */
export const routes: readonly ((app: App, deps: Deps) => void)[] = [healthRoutes, securityRoutes]
