/** What an archive may hold; checked while reading, before anything is kept. */
export const limits = {
  files: 5_000,
  unpackedBytes: 500 << 20,
  /** Unpacked over packed size of one entry. */
  ratio: 200,
  fileBytes: 10 << 20,
  /** References (aliases) of one YAML document. */
  aliases: 100,
  depth: 64,
}
