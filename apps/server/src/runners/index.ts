import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { outgoingPolicy } from './outgoing.ts'
import type { Settings } from '../settings/settings.ts'
import { createRunners as create } from './create-runners.ts'
import type { Runners } from './runners.ts'

const mb = 2 ** 20

/** The runners of a server: its embedded engines share half of the machine's memory. */
export const createServerRunners = ({ settings, log }: { settings: Settings; log: Logger }): Runners =>
  create({
    log,
    memoryLimitMb: Math.floor(totalmem() / 2 / mb),
    spillFolder: join(settings.home, 'spill'),
    outgoing: outgoingPolicy(settings),
    archiveLimits: {
      objects: settings.config.IMPORT_OBJECT_LIMIT,
      files: settings.config.IMPORT_FILE_LIMIT,
      unpackedBytes: settings.config.IMPORT_UNPACKED_LIMIT_MB * mb,
    },
  })
