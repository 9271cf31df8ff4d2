/** Limits of an archive, checked while reading, before anything is stored. */
export const bundleLimits = {
  /** Ratio of unpacked to packed size, for one entry and for the whole archive. */
  ratio: 200,
  /** Unpacked size up to which the ratio of the whole archive is not checked. */
  freeBytes: 10 << 20,
  /** Size of one file, as YAML and as the resulting JSON. */
  fileBytes: 10 << 20,
  /** Number of values in one file with references expanded. */
  values: 100_000,
  /** References (aliases) of one YAML document. */
  aliases: 100,
  depth: 64,
}

/** Limits of a whole archive, which are settings of the server. */
export interface ArchiveLimits {
  /** Number of documents besides the metadata: `IMPORT_OBJECT_LIMIT`. */
  objects: number
  /** Number of entries, including folders and files that are not read: `IMPORT_FILE_LIMIT`. */
  files: number
  /** `IMPORT_UNPACKED_LIMIT_MB` in bytes. */
  unpackedBytes: number
}

export const defaultArchiveLimits: ArchiveLimits = { objects: 10_000, files: 12_000, unpackedBytes: 500 * 2 ** 20 }
