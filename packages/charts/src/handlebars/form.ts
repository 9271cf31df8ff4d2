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
    label: 'Handlebars Template',
    group: 'look',
    as: 'code',
    description: 'HTML and Markdown. The rows are data, the totals are totals.',
  }),
  styleTemplate: control(Type.String({ default: defaultStyle }), {
    label: 'CSS Styles',
    group: 'look',
    as: 'code',
    description: 'For this chart alone; a template as well.',
  }),
})
