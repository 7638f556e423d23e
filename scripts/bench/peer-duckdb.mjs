// DuckDB with the columns spelled out, so that it reads nothing else: peer-duckdb.mjs FILE vally|trials THREADS FOLDER,
// where FOLDER is where `@duckdb/node-api` was installed.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [file, format, threads, folder] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(join(folder, 'package.json'))('@duckdb/node-api');

const from = (layout, columns) =>
  `read_json('${file.replaceAll("'", "''")}', format = '${layout}', columns = ${columns})`;
const total = (events, value) => `coalesce(sum(list_sum([${value} for e in ${events}])), 0)::BIGINT`;

const QUERIES = {
  vally: `
    select count(*) as trajectories,
      sum(len(trajectory.events))::BIGINT as events,
      ${total('trajectory.events', 'e.data.inputTokens')} as inputTokens,
      ${total('trajectory.events', 'e.data.outputTokens')} as outputTokens,
      ${total('trajectory.events', "(e.type = 'tool_call')::INT")} as toolCallCount
    from ${from(
      'newline_delimited',
      `{type: 'VARCHAR', trajectory:
        'STRUCT(events STRUCT(type VARCHAR, data STRUCT(inputTokens BIGINT, outputTokens BIGINT))[])'}`,
    )} where type = 'trial-result'`,
  // Usage is repeated on events that share a message id, so only trajectories and events are counted.
  trials: `
    select count(*) as trajectories, sum(len(trajectory))::BIGINT as events
    from ${from(
      'array',
      `{instance_id: 'VARCHAR', trajectory: 'STRUCT(type VARCHAR, message STRUCT(id VARCHAR,
        usage STRUCT(input_tokens BIGINT, output_tokens BIGINT)))[]'}`,
    )}`,
};

const instance = await DuckDBInstance.create(':memory:', { threads });
const connection = await instance.connect();
const reader = await connection.runAndReadAll(QUERIES[format]);
const [row] = reader.getRowObjects();
console.log(JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))));
