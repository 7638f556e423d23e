// DuckDB with the columns spelled out, so that it reads nothing else: peer-duckdb.mjs FILE vally|vally-report|trials THREADS FOLDER,
// where FOLDER is where `@duckdb/node-api` was installed.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [file, query, threads, folder] = process.argv.slice(2);
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
  // What a report says, as far as one statement can: pass rate and wall time by model, tokens, tools with failures and
  // latencies (calls joined with their results), turns and errors.
  'vally-report': `
    with t as materialized (select * from ${from(
      'newline_delimited',
      `{type: 'VARCHAR', stimulus: 'VARCHAR', model: 'VARCHAR', variant: 'VARCHAR', trialIndex: 'INT', status: 'VARCHAR',
        gradeResult: 'STRUCT(passed BOOLEAN, score DOUBLE, details STRUCT(name VARCHAR, passed BOOLEAN)[])',
        trajectory: 'STRUCT(id VARCHAR, metadata STRUCT(startedAt TIMESTAMP, completedAt TIMESTAMP, executor VARCHAR),
          events STRUCT(type VARCHAR, "timestamp" TIMESTAMP, data STRUCT(toolName VARCHAR, toolCallId VARCHAR,
          success BOOLEAN, inputTokens BIGINT, outputTokens BIGINT, cacheReadTokens BIGINT, cacheWriteTokens BIGINT,
          model VARCHAR, turnId VARCHAR, name VARCHAR, type VARCHAR))[])'}`,
    )} where type = 'trial-result'),
    e as (select trajectory.id as id, unnest(trajectory.events) as e from t),
    models as (select model, count(*), avg(gradeResult.passed::INT), quantile_cont(epoch_ms(trajectory.metadata.completedAt)
      - epoch_ms(trajectory.metadata.startedAt), [0.5, 0.9, 0.95, 0.99]) as wall from t group by model),
    kinds as (select e.type as type, e.data.toolName as tool, e.data.model as model, count(*) as n,
      sum(e.data.inputTokens) as input, sum(e.data.outputTokens) as output, sum(e.data.cacheReadTokens) as cached,
      sum((e.data.success = false)::INT) as failures from e group by all),
    latencies as (select a.e.data.toolName as tool,
      quantile_cont(epoch_ms(b.e."timestamp") - epoch_ms(a.e."timestamp"), [0.5, 0.95]) as q
      from e a join e b on a.id = b.id and a.e.data.toolCallId = b.e.data.toolCallId
        and a.e.type = 'tool_call' and b.e.type = 'tool_result' group by tool)
    select (select count(*) from t) as trajectories, sum(n)::BIGINT as events, sum(input)::BIGINT as inputTokens,
      sum(output)::BIGINT as outputTokens, sum(n) filter (type = 'tool_call')::BIGINT as toolCallCount
    from kinds where (select count(wall) from models) > 0 and (select count(q) from latencies) > 0`,
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
const reader = await connection.runAndReadAll(QUERIES[query]);
const [row] = reader.getRowObjects();
console.log(JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))));
