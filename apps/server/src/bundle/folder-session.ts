import { join } from 'node:path'
import type { Bundle, BundleSource } from '@parquetry/bundle'
import { type ImportSecretField, type ImportSummary, importSecretFields } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import { toConnectionRules } from '../database/save-database.ts'
import type { ReadContext } from '../http/resource.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'
import { openKeys } from '../store/keys.ts'
import type { Store } from '../store/open.ts'
import { holdsSecrets } from '../store/stored-secrets.ts'
import { formatStoredTime } from '../store/time.ts'
import { addAssets } from './all-assets.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { importBundle, type ImportOptions } from './import-bundle.ts'
import { planImport } from './import-plan.ts'
import { summarize } from './import-summary.ts'
import { findPrunable, type Prunable, prune } from './prune.ts'

/** Secrets of databases by the path of their file, as in the form of an import. */
export type FolderSecrets = Partial<Record<ImportSecretField, Record<string, string>>>

/** Exports and imports of commands, which may read and change the whole store. What they create belongs to an administrator. */
export class FolderSession {
  readonly #store: Store
  readonly #settings: Settings
  readonly #principal: Principal

  /** @param principal  an administrator */
  constructor(store: Store, settings: Settings, principal: Principal) {
    this.#store = store
    this.#settings = settings
    this.#principal = principal
  }

  get #context(): ReadContext {
    const { config, flags } = this.#settings
    return {
      db: this.#store.db,
      principal: this.#principal,
      ...readViewerRules(this.#settings),
      now: new Date(),
      hasTags: flags['TAGGING_SYSTEM'] === true,
      linkQuotaMb: config.LINK_QUOTA_MB,
    }
  }

  /** All objects, without secrets. */
  async export(): Promise<Bundle> {
    const files: Bundle['files'] = new Map()
    const builder = new BundleBuilder(this.#context, files)
    await addAssets(builder, this.#context)
    const metadata = await builder.finish('assets', new Date())
    return { metadata, files: new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) }
  }

  /** Tells what an import would change. */
  async plan(source: BundleSource, secrets: FolderSecrets): Promise<ImportSummary> {
    const plan = await planImport(this.#store.db, source, { ...(await this.#createOptions(secrets)), preview: true })
    return summarize({ plan, ids: new Map() }, errorTranslator(this.#settings))
  }

  /**
   * Imports everything or nothing; existing objects are replaced.
   * @param prunes  moves dashboards, charts and datasets that the bundle does not name to the trash, in the same transaction
   * @throws AppError `unprocessable` with problems by file, or of an object that cannot be deleted
   */
  async import(
    source: BundleSource,
    secrets: FolderSecrets,
    { prunes = false } = {},
  ): Promise<{ summary: ImportSummary; pruned: Prunable[] }> {
    let pruned: Prunable[] = []
    const options: ImportOptions = {
      ...(await this.#createOptions(secrets)),
      ...(prunes && {
        onWritten: async (trx, { objects }) => {
          pruned = await findPrunable(trx, objects)
          await prune(trx, this.#context, pruned)
        },
      }),
    }
    const outcome = await importBundle(this.#store.db, source, options)
    return { summary: summarize(outcome, errorTranslator(this.#settings)), pruned }
  }

  /** Dashboards, charts and datasets that the bundle does not name. */
  findPrunable({ objects }: ImportSummary): Promise<Prunable[]> {
    return findPrunable(this.#store.db, objects)
  }

  async #createOptions(secrets: FolderSecrets): Promise<ImportOptions> {
    const { db } = this.#store
    const { home, keysFile, flags, config } = this.#settings
    const [passwords, password, private_key, private_key_password] = importSecretFields.map(
      (name) => secrets[name] ?? {},
    )
    return {
      authorId: this.#principal.id,
      principal: this.#principal,
      at: formatStoredTime(new Date()),
      overwrite: true,
      hasTags: flags['TAGGING_SYSTEM'] === true,
      imageQuotaMb: config.IMAGE_QUOTA_MB,
      secrets: {
        keys: openKeys(keysFile ?? join(home, 'keys.json'), keysFile === null && !(await holdsSecrets(db))),
        rules: toConnectionRules({ settings: this.#settings }),
        passwords: passwords!,
        tunnel: { password: password!, private_key: private_key!, private_key_password: private_key_password! },
      },
    }
  }
}
