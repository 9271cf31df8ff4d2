import Type from 'typebox'
import { control } from '../define.ts'
import { tableQueryForm } from '../shared/table/query-form.ts'

export const defaultTemplate = `<ul class="data-list">
  {{#each data}}
    <li>{{stringify this}}</li>
  {{/each}}
</ul>`

const defaultStyle = `/*
  .data-list {
    background-color: yellow;
  }
*/`

export const form = Type.Object({
  ...tableQueryForm,
  handlebarsTemplate: control(Type.String({ default: defaultTemplate }), {
    label: 'Handlebars template',
    group: 'look',
    as: 'code',
    description: 'Supports HTML and Markdown. Rows are available as `data`, totals as `totals`.',
  }),
  styleTemplate: control(Type.String({ default: defaultStyle }), {
    label: 'CSS styles',
    group: 'look',
    as: 'code',
    description: 'Applies to this chart only. Can also use template expressions.',
  }),
})
