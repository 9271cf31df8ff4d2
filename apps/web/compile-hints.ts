import type { Plugin } from 'vite'

/** https://v8.dev/blog/explicit-compile-hints : has to stand before everything else in a file. */
const hint = '//# allFunctionsCalledOnLoad\n'

/** Files most of whose functions run while a page opens. */
const eagerFiles =
  /^assets\/(vendor|first|shared|charts|formats|ui|usual-plots|usual-charts|plot|dashboards|DashboardPage)-/

/**
 * Has a browser compile whole files while they arrive, on a thread of its own. Else it compiles each function when it is first called: four
 * thousand times on the thread that draws, while a dashboard opens. Browsers that do not know the hint read a comment.
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
