import { englishTranslator } from '@parquetry/model'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import { hideTip } from './overlays/tips.ts'
import { UiProvider } from './theme/UiProvider.tsx'

const i18n = { locale: 'en', messages: {}, translate: englishTranslator }
const navigation = { isOwn: () => false, go: () => undefined }

const Product = ({ children }: { children: ReactNode }) => (
  <UiProvider navigation={navigation} i18n={i18n}>
    {children}
  </UiProvider>
)

/** Waits until React has drawn what changed. Unlike a poll it does not move a fake clock. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))

/** Renders into a page of the test's own as the product does: English, light, with what floats above the page; no tip is left of the last test. */
export function show(children: ReactNode) {
  hideTip(0)
  return render(children, { wrapper: Product })
}
