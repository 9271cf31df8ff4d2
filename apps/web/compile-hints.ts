import type { Plugin } from 'vite'

/** https://v8.dev/blog/explicit-compile-hints : must precede everything else in a file. */
const hint = '//# allFunctionsCalledOnLoad\n'

/** Files in which most functions run while a page opens. */
const eagerFiles =
  /^assets\/(vendor|first|shared|charts|formats|ui|usual-plots|usual-charts|plot|dashboards|DashboardPage)-/

/**
 * Makes browsers compile whole files during download, on a background thread. Otherwise they compile each function at its first
 * call: four thousand times on the main thread while a dashboard opens. Other browsers ignore the comment.
 */
export const compileHints = (): Plugin => ({
  name: 'parquetry-compile-hints',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && eagerFiles.test(file.fileName)) file.code = hint + file.code
    },
  },
})
