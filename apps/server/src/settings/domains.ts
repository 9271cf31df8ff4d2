import type { Settings } from './settings.ts'

/** Further hosts of this server that clients may spread their calls over; none without ALLOW_DASHBOARD_DOMAIN_SHARDING. */
export const listDomains = ({ flags, config }: Pick<Settings, 'flags' | 'config'>): readonly string[] =>
  flags['ALLOW_DASHBOARD_DOMAIN_SHARDING'] === true ? config.SUPERSET_WEBSERVER_DOMAINS : []
