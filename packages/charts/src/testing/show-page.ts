// `node packages/charts/src/testing/show-page.ts` serves the page of all charts until Ctrl-C.
// `?only=pie/weather,pie/many-industries` shows some, by their full names, `&width=320&height=240` sets their size,
// `&language=en-XA` another language, `&form={"donut":false}` other settings. In its console, `setTheme('dark')` changes the
// theme.
import { servePage } from './serve-page.ts'

const { url, close } = await servePage()
process.stdout.write(`${url}\n`)
process.once('SIGINT', () => void close())
