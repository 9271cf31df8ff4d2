import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import type { Service } from './service.ts'

/** Every server that tests ask. */
export const services: readonly Service[] = [postgres, mariadb]
