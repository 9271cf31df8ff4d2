/** What an archive may hold; checked while reading, before anything is kept. */
export const bundleLimits = {
  /** Entries, folders and files that are not read among them. */
  files: 5_000,
  unpackedBytes: 100 << 20,
  /** Unpacked over packed size, of one entry and of all together. */
  ratio: 200,
  /** Small archives may be packed better than the ratio allows. */
  freeBytes: 10 << 20,
  /** Of one file, as YAML and as the JSON that it becomes. */
  fileBytes: 10 << 20,
  /** Values of one file, references written out. */
  values: 100_000,
  /** Of all files together. */
  allValues: 300_000,
  /** References (aliases) of one YAML document. */
  aliases: 100,
  depth: 64,
}
