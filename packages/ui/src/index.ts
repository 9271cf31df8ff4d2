export { UiProvider } from './theme/UiProvider.tsx'
export { Link, useNavigation, type Navigation } from './theme/navigation.tsx'
export {
  setDensity,
  setTheme,
  setThemeVariables,
  useDensity,
  useTheme,
  useThemeChoice,
  useThemeVariables,
  type ThemeVariables,
} from './theme/theme.ts'
export { ThemeScope } from './theme/ThemeScope.tsx'
export { useTreeRowHeight } from './theme/sizes.ts'
export { useTranslate, useI18n, type TextValues, type Translate, type I18n } from './theme/i18n.ts'

export { Icon } from './icons/Icon.tsx'
export type { IconName } from './icons/paths.ts'

export { Button, ButtonLink } from './buttons/Button.tsx'
export { IconButton } from './buttons/IconButton.tsx'
export { SplitButton } from './buttons/SplitButton.tsx'
export { FavoriteButton } from './buttons/FavoriteButton.tsx'

export { Field, useField } from './fields/Field.tsx'
export { PasswordInput, TextArea, TextInput } from './fields/TextInput.tsx'
export { Checkbox, RadioGroup, SegmentedControl, Switch, type Choice } from './fields/choices.tsx'

export { confirm } from './overlays/confirm.tsx'
export { Dialog } from './overlays/Dialog.tsx'
export { Drawer } from './overlays/Drawer.tsx'
export { Menu, type MenuItem } from './overlays/Menu.tsx'
export { makePageInert } from './overlays/inert.ts'
export { MenuList } from './overlays/MenuList.tsx'
export { PointAnchor } from './overlays/PointAnchor.tsx'
export { Popover } from './overlays/Popover.tsx'
export type { Placement } from './overlays/compute-position.ts'
export { Tooltip } from './overlays/Tooltip.tsx'
export { trapTab } from './overlays/use-focus.ts'

export { EmptyState } from './feedback/EmptyState.tsx'
export { ErrorPanel } from './feedback/ErrorPanel.tsx'
export { Delayed, ProgressLine, Skeleton } from './feedback/Skeleton.tsx'
export { JobChip, StatusChip, type Tone } from './feedback/StatusChip.tsx'
export { Spinner } from './feedback/Spinner.tsx'
export { Banner } from './feedback/Banner.tsx'
export { useCopy } from './feedback/use-copy.ts'
export { toast, toastError, toastHistory, type Toast } from './feedback/toast.ts'

export { PageHeader } from './layout/PageHeader.tsx'
export type { Crumb } from './layout/Breadcrumb.tsx'
export { SplitPane } from './layout/SplitPane.tsx'
export { Tabs } from './layout/Tabs.tsx'
export { useVirtualRows } from './layout/use-virtual-rows.ts'
export { computeRowScale, useScrollViewport } from './layout/use-scroll-viewport.ts'

export { KeyHint } from './commands/KeyHint.tsx'
export { modalDepth, useOverlayLayer } from './commands/layers.ts'
export {
  setSingleKeysEnabled,
  areSingleKeysEnabled,
  useCommand,
  useCommands,
  useTypingPage,
  type Command,
} from './commands/registry.ts'

export { NumberInput, toPlainNumber } from './fields/NumberInput.tsx'
export { Slider } from './fields/Slider.tsx'
export { MultiSelect } from './fields/select/MultiSelect.tsx'
export type { LoadOptions, Option, OptionPage } from './fields/select/options.ts'
export { Select } from './fields/select/Select.tsx'

export { Avatar, Avatars, userDisplayName } from './data/Avatars.tsx'
export { CertifiedBadge } from './data/CertifiedBadge.tsx'
export { Swatches } from './data/Swatches.tsx'
export { Tag } from './data/Tag.tsx'
export { Card, CardGrid } from './data/Card.tsx'
export { ListTable, type ListColumn, type RowAction } from './data/ListTable.tsx'
export { Pager } from './data/Pager.tsx'

export { CommandPalette, type PaletteGroup, type PaletteItem } from './commands/CommandPalette.tsx'
export { fuzzyScore } from './commands/fuzzy-score.ts'

export { renderHtml } from './markdown/render-html.ts'
export { listExternalImages, formatMarkdownImage, replaceImageUrls } from './markdown/images.ts'
export { isSafeHref } from './markdown/safe-href.ts'
