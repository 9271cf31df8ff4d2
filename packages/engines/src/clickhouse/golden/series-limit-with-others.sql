SELECT "Origin" AS "Origin_1f93146f",
       CASE WHEN "series_limit"."first__" = 1 THEN toString("Horsepower") WHEN "Horsepower" IS NOT NULL THEN 'Others' END AS "Horsepower_7a5a4d97",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
LEFT JOIN (SELECT "Horsepower" AS "Horsepower___32aab785",
       COUNT(*) AS "mme_inner__",
       1 AS "first__"
FROM "cars"
WHERE "Horsepower" IS NOT NULL
GROUP BY "Horsepower"
ORDER BY "mme_inner__" DESC NULLS FIRST
LIMIT 2) AS "series_limit" ON "Horsepower" = "series_limit"."Horsepower___32aab785"
GROUP BY "Origin",
         CASE WHEN "series_limit"."first__" = 1 THEN toString("Horsepower") WHEN "Horsepower" IS NOT NULL THEN 'Others' END
ORDER BY "Origin_1f93146f" ASC NULLS LAST,
         "Horsepower_7a5a4d97" ASC NULLS LAST
LIMIT 50000;
-- []
