-- What the files of content were when they were last stored without a fault, so that a start that finds the same has nothing to read.
create table content_source (
  only_row boolean primary key default true check (only_row),
  digest text not null
);
