/** A type of Superset's validation library, with a question mark when it may be null; a document, a list, or an object with any names. */
export type AcceptedField =
  | string
  | { fields: AcceptedFields; nullable?: true }
  | { items: AcceptedField; nullable?: true }
  | { values: AcceptedField; nullable?: true }
export interface AcceptedFields {
  readonly [name: string]: AcceptedField
}

/**
 * Fields of the documents that Superset 6.1 imports, by their folder; it refuses a bundle with any other field. A test compares them
 * with what `scripts/superset/round-trip.ts --record` has read from that release.
 */
export const acceptedFields: Readonly<Record<string, AcceptedFields>> = {
  charts: {
    cache_timeout: 'Integer?',
    certification_details: 'String?',
    certified_by: 'String?',
    dataset_uuid: 'UUID',
    description: 'String?',
    external_url: 'String?',
    is_managed_externally: 'Boolean?',
    params: 'Dict',
    query_context: 'String?',
    slice_name: 'String',
    tags: {
      items: 'String',
      nullable: true,
    },
    uuid: 'UUID',
    version: 'String',
    viz_type: 'String',
  },
  dashboards: {
    certification_details: 'String?',
    certified_by: 'String?',
    css: 'String?',
    dashboard_title: 'String',
    description: 'String?',
    external_url: 'String?',
    is_managed_externally: 'Boolean?',
    metadata: 'Dict',
    position: 'Dict',
    published: 'Boolean?',
    slug: 'String?',
    tags: {
      items: 'String',
      nullable: true,
    },
    theme_id: 'Integer?',
    theme_uuid: 'UUID?',
    uuid: 'UUID',
    version: 'String',
  },
  databases: {
    allow_csv_upload: 'Boolean',
    allow_ctas: 'Boolean',
    allow_cvas: 'Boolean',
    allow_dml: 'Boolean',
    allow_run_async: 'Boolean',
    cache_timeout: 'Integer?',
    configuration_method: 'Enum?',
    database_name: 'String',
    encrypted_extra: 'String?',
    expose_in_sqllab: 'Boolean',
    external_url: 'String?',
    extra: {
      fields: {
        allow_multi_catalog: 'Boolean',
        allows_virtual_table_explore: 'Boolean',
        cancel_query_on_windows_unload: 'Boolean',
        cost_estimate_enabled: 'Boolean',
        disable_data_preview: 'Boolean',
        disable_drill_to_detail: 'Boolean',
        engine_params: 'Dict',
        metadata_cache_timeout: { values: 'Integer' },
        metadata_params: 'Dict',
        per_user_caching: 'Boolean',
        schema_options: 'Dict',
        schemas_allowed_for_csv_upload: {
          items: 'String',
        },
        version: 'String?',
      },
    },
    impersonate_user: 'Boolean',
    is_managed_externally: 'Boolean?',
    masked_encrypted_extra: 'String',
    password: 'String?',
    sqlalchemy_uri: 'String',
    ssh_tunnel: {
      fields: {
        id: 'Integer?',
        password: 'String',
        private_key: 'String',
        private_key_password: 'String',
        server_address: 'String',
        server_port: 'Integer',
        username: 'String',
      },
      nullable: true,
    },
    uuid: 'UUID',
    version: 'String',
  },
  datasets: {
    always_filter_main_dttm: 'Boolean',
    cache_timeout: 'Integer?',
    catalog: 'String?',
    columns: {
      items: {
        fields: {
          advanced_data_type: 'String?',
          column_name: 'String',
          datetime_format: 'String?',
          description: 'String?',
          expression: 'String?',
          extra: 'Dict?',
          filterable: 'Boolean',
          groupby: 'Boolean',
          is_active: 'Boolean?',
          is_dttm: 'Boolean?',
          python_date_format: 'String?',
          type: 'String?',
          verbose_name: 'String?',
        },
      },
    },
    currency_code_column: 'String?',
    data: 'Url',
    data_file: 'String?',
    database_uuid: 'UUID',
    default_endpoint: 'String?',
    description: 'String?',
    external_url: 'String?',
    extra: 'Dict?',
    fetch_values_predicate: 'String?',
    filter_select_enabled: 'Boolean',
    folders: {
      items: {
        fields: {
          children: {
            items: 'Nested',
            nullable: true,
          },
          description: 'String?',
          name: 'String',
          type: 'String',
          uuid: 'UUID',
        },
      },
      nullable: true,
    },
    is_managed_externally: 'Boolean?',
    main_dttm_col: 'String?',
    metrics: {
      items: {
        fields: {
          currency: {
            fields: {
              symbol: 'String',
              symbolPosition: 'String',
            },
            nullable: true,
          },
          d3format: 'String?',
          description: 'String?',
          expression: 'String',
          extra: 'Dict?',
          metric_name: 'String',
          metric_type: 'String?',
          verbose_name: 'String?',
          warning_text: 'String?',
        },
      },
    },
    normalize_columns: 'Boolean',
    offset: 'Integer',
    params: 'Dict?',
    schema: 'String?',
    source_db_engine: 'String?',
    sql: 'String?',
    table_name: 'String',
    template_params: 'Dict?',
    uuid: 'UUID',
    version: 'String',
  },
  queries: {
    catalog: 'String?',
    database_uuid: 'UUID',
    description: 'String?',
    label: 'String?',
    schema: 'String?',
    sql: 'String',
    uuid: 'UUID',
    version: 'String',
  },
  themes: {
    json_data: 'Raw',
    theme_name: 'String',
    uuid: 'UUID',
    version: 'String',
  },
}
