SELECT "Origin" AS "Origin",
       CASE WHEN "series_limit"."first__" = 1 THEN CAST("Horsepower" AS VARCHAR) WHEN "Horsepower" IS NOT NULL THEN 'Others' END AS "Horsepower",
       COUNT(*) AS "count"
FROM "cars"
LEFT JOIN (SELECT "Horsepower" AS "Horsepower__",
       COUNT(*) AS "mme_inner__",
       1 AS "first__"
FROM "cars"
WHERE "Horsepower" IS NOT NULL
GROUP BY "Horsepower"
ORDER BY "mme_inner__" DESC NULLS FIRST
LIMIT 2) AS "series_limit" ON "Horsepower" = "series_limit"."Horsepower__"
GROUP BY "Origin",
         CASE WHEN "series_limit"."first__" = 1 THEN CAST("Horsepower" AS VARCHAR) WHEN "Horsepower" IS NOT NULL THEN 'Others' END
ORDER BY "Origin" ASC NULLS LAST,
         "Horsepower" ASC NULLS LAST
LIMIT 50000;
-- []
