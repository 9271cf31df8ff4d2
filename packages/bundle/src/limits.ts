/** Limits of an archive, checked while reading, before anything is stored. */
export const bundleLimits = {
  /** Number of entries, including folders and files that are not read. */
  files: 5_000,
  unpackedBytes: 100 << 20,
  /** Ratio of unpacked to packed size, for one entry and for the whole archive. */
  ratio: 200,
  /** Unpacked size up to which the ratio of the whole archive is not checked. */
  freeBytes: 10 << 20,
  /** Size of one file, as YAML and as the resulting JSON. */
  fileBytes: 10 << 20,
  /** Number of values in one file with references expanded. */
  values: 100_000,
  /** Number of values in all files together. */
  allValues: 300_000,
  /** References (aliases) of one YAML document. */
  aliases: 100,
  depth: 64,
}
