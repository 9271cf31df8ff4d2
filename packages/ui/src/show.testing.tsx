import type { ReactNode } from 'react'
import { IntlProvider } from 'react-intl'
import { render } from 'vitest-browser-react'
import { hideTip } from './overlays/tips.ts'
import { UiProvider } from './theme/UiProvider.tsx'

const navigation = { isOwn: () => false, go: () => undefined }

const Product = ({ children }: { children: ReactNode }) => (
  <IntlProvider locale="en" onError={() => undefined}>
    <UiProvider navigation={navigation}>{children}</UiProvider>
  </IntlProvider>
)

/** Renders into a page of the test's own as the product does: English, light, with what floats above the page; no tip is left of the last test. */
export function show(children: ReactNode) {
  hideTip(0)
  return render(children, { wrapper: Product })
}
