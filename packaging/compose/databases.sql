-- The search log's own database; that of everything else is created by the image of PostgreSQL.
CREATE DATABASE findwell_log OWNER findwell TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
