/** Options of post-processing steps that only this product has, as JSON; the original fails on options that it does not know. */
const ownOption = String.raw`"(?:drop_incomplete"\s*:\s*true|whole"\s*:\s*"all_records")`
const withComma = new RegExp(String.raw`,\s*${ownOption}|${ownOption}\s*,?`, 'g')

/** Query context of a chart as the original understands it. Numbers keep all their digits, because the text is not parsed. */
export const toPortableContext = (text: string | null): string | null => text?.replace(withComma, '') ?? null
